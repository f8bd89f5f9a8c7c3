// Asks the npm packages character-card-utils (V1, V2) and @risuai/ccardlib (V2, V3) whether they accept JSON files.
// Called with files named *.v1.json, *.v2.json or *.v3.json; prints one line of JSON a file: {"file", "refusals": [...]}.
"use strict";

const fs = require("node:fs");
const utils = require("character-card-utils");
const { CCardLib } = require("@risuai/ccardlib");

function refusals(card, version) {
  if (version === "v1") {
    const result = utils.v1.safeParse(card);
    return result.success ? [] : [`character-card-utils: v1: ${JSON.stringify(result.error.issues[0])}`];
  }
  const found = [];
  const entries = card.data.character_book.entries.length;
  // The library deletes nulls in what it is given, so that each question gets a copy.
  const copy = () => structuredClone(card);
  const seen = CCardLib.character.check(copy());
  if (seen !== version) found.push(`@risuai/ccardlib takes it for ${seen}`);
  const other = version === "v2" ? "v3" : "v2";
  const converted = CCardLib.character.convert(copy(), { to: other });
  if (CCardLib.character.check(structuredClone(converted)) !== other) found.push(`@risuai/ccardlib cannot make it ${other}`);
  if (converted.data.character_book?.entries.length !== entries) found.push(`@risuai/ccardlib loses entries on the way to ${other}`);
  if (version === "v2") {
    for (const [name, schema, part] of [
      ["v2", utils.v2, card],
      ["book", utils.book, card.data.character_book],
    ]) {
      const result = schema.safeParse(part);
      if (!result.success) found.push(`character-card-utils: ${name}: ${JSON.stringify(result.error.issues[0])}`);
    }
    const parsed = utils.parseToV2(copy());
    if (parsed.data.character_book?.entries.length !== entries) found.push("character-card-utils loses entries");
  }
  return found;
}

for (const file of process.argv.slice(2)) {
  const card = JSON.parse(fs.readFileSync(file, "utf8"));
  let found;
  try {
    found = refusals(card, /\.(v[123])\.json$/.exec(file)[1]);
  } catch (error) {
    found = [String(error)];
  }
  console.log(JSON.stringify({ file, refusals: found }));
}
