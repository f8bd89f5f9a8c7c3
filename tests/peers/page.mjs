// Does with a lorebook what SillyTavern's page does before it sends it to the server: a request a line, an answer a line.
//   ST_ROOT=<the program> node page.mjs <the harness's folder>
// {name, base64}: a file that is imported as World Info; the answer is the World Info that it was made into, or null
// {book}: a book inside a card; the answer is the World Info that it was made into
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const harness = (file) => import(pathToFileURL(path.join(process.argv[2], file)));
const { setup } = await harness('oracle.mjs');
const { WI, quiet } = await harness('load.mjs');

globalThis.FileReader = class {
    readAsText(file) {
        file.text().then((text) => {
            this.result = text;
            this.onload({ target: this });
        });
    }
};

let sent, complaint;
globalThis.toastr.error = (text) => { complaint = String(text); };
globalThis.fetch = async (url, { body }) => {
    if (url === '/api/files/sanitize-filename') return Response.json({ fileName: JSON.parse(body).fileName });
    if (url !== '/api/worldinfo/import') throw new Error(`the page asked for ${url}`);
    sent = body;
    return Response.json({});
};

async function imported({ name, base64 }) {
    sent = complaint = undefined;
    await WI.importWorldInfo(new File([Buffer.from(base64, 'base64')], name));
    if (complaint) return { refused: complaint };
    const converted = sent.get('convertedData');
    return { world: converted && JSON.parse(converted) };
}

quiet();
await setup({});
for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const request = JSON.parse(line);
    const answer = request.book ? { world: WI.convertCharacterBook(request.book) } : await imported(request);
    process.stdout.write(JSON.stringify(answer) + '\n');
}
process.exit(0);
