// Times SillyTavern's own checkWorldInfo: a case a line in, milliseconds and the uids that fire a line out.
//   ST_ROOT=<the program> node activation_real.mjs <the harness's folder>
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const harness = (file) => import(pathToFileURL(path.join(process.argv[2], file)));
const { setup, scanStrings } = await harness('oracle.mjs');
const { WI, quiet } = await harness('load.mjs');

const AROUND = {
    trigger: 'normal', personaDescription: '', characterDescription: '', characterPersonality: '',
    characterDepthPrompt: '', scenario: '', creatorNotes: '',
};

async function measure({ input, seconds }) {
    await setup(input);
    const chat = scanStrings(input);
    const milliseconds = [];
    const until = performance.now() + seconds * 1000;
    let result;
    let warm = 2;
    while (!milliseconds.length || (performance.now() < until && milliseconds.length < 200)) {
        const began = performance.now();
        result = await WI.checkWorldInfo(chat, input.maxContext, false, AROUND);
        milliseconds.push(performance.now() - began);
        if (warm && milliseconds[0] < seconds * 100) {
            milliseconds.length = 0;
            warm--;
        }
    }
    return { milliseconds, answer: [...result.allActivatedEntries].map((entry) => entry.uid) };
}

quiet();
for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    process.stdout.write(JSON.stringify(await measure(JSON.parse(line))) + '\n');
}
process.exit(0);
