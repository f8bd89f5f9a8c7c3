// Answers scenarios as SillyTavern's own World Info engine does: a JSON list of inputs a line, a JSON list of answers a line.
//   ST_ROOT=<the program> node peer.mjs <the harness's folder>
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const { run } = await import(pathToFileURL(path.join(process.argv[2], 'oracle.mjs')));

// Entries activated from outside stay until a scan that has entries ends without an error.
const FORGET = {
    books: { Empty: { entries: { 0: { uid: 0, key: [], content: '' } } } },
    active: { global: ['Empty'] }, chat: [], maxContext: 100, dryRun: true, macros: {},
};

async function answer(input) {
    try {
        return await run(input);
    } catch (error) {
        return { refused: String(error.message) };
    } finally {
        if (input.externalActivations.length) await run(FORGET);
    }
}

for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const answers = [];
    for (const input of JSON.parse(line)) answers.push(await answer(input));
    process.stdout.write(JSON.stringify(answers) + '\n');
}
process.exit(0);
