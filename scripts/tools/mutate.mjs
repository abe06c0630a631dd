// Says what the tests catch: changes the product in random places, one at a time, and runs a command after each change.
// A change that the command does not notice is a test that is missing. Run it in a clean clone, because it edits files:
//   node scripts/boot.mjs scripts/tools/mutate.mjs --count 40 --seed 1 -- npm test --silent -- --bail 1
// The same seed makes the same changes in the same code.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

// TypeScript 7 has no parser for programs. The generator of the API's client has an older version.
const ts = createRequire(new URL('../../packages/api-client/package.json', import.meta.url))('typescript');

const PRODUCT = [
  'services/*/src/**/*.ts',
  'packages/*/src/**/*.ts',
  'apps/{standalone,stack}/src/**/*.ts',
  'tools/cli/src/**/*.ts',
];
const NO_PRODUCT = /\.(test|testing|d)\.ts$|\/(generated|conformance)\/|^packages\/local\//;

const OPERATORS = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.QuestionQuestionToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);

/** Returns the place and the text of the change of one node, or nothing. */
function changeOf(node) {
  const replaced = (one, text) => [{ start: one.getStart(), end: one.getEnd(), text }];
  if (ts.isBinaryExpression(node)) {
    const text = OPERATORS.get(node.operatorToken.kind);
    return text === undefined ? [] : replaced(node.operatorToken, text);
  }
  if (ts.isIfStatement(node)) return replaced(node.expression, `!(${node.expression.getText()})`);
  if (ts.isConditionalExpression(node)) return replaced(node.condition, `!(${node.condition.getText()})`);
  if (node.kind === ts.SyntaxKind.TrueKeyword && ts.isExpression(node)) return replaced(node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword && ts.isExpression(node)) return replaced(node, 'true');
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent)) return replaced(node, `(${node.text} + 1)`);
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return replaced(node, ';');
  return [];
}

function changesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    for (const change of changeOf(node)) {
      const line = source.getLineAndCharacterOfPosition(change.start).line + 1;
      found.push({ file, line, before: source.text.slice(change.start, change.end), ...change });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A generator of random numbers from 0 to 1 (mulberry32), so that a seed repeats a run. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const [command, ...args] = positionals;
if (command === undefined) throw new Error('name the command that looks: … -- npm test --silent -- --bail 1');
const all = globSync(PRODUCT)
  .filter((file) => !NO_PRODUCT.test(file))
  .sort()
  .flatMap(changesIn);
const random = randomOf(Number(values.seed));
const chosen = Array.from({ length: Number(values.count) }, () => all[Math.floor(random() * all.length)]);
console.log(`${all.length} places, ${chosen.length} changes`);
let caught = 0;
for (const [i, { file, line, start, end, before, text }] of chosen.entries()) {
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, start) + text + whole.slice(end));
  const began = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'ignore' });
  writeFileSync(file, whole);
  if (status !== 0) caught++;
  const took = Math.round((performance.now() - began) / 1000);
  const one = before.replace(/\s+/g, ' ').slice(0, 60);
  console.log(
    `${i + 1}\t${status === 0 ? 'SURVIVED' : 'caught'}\t${took} s\t${file}:${line}\t${one} → ${text.replace(/\s+/g, ' ').slice(0, 60)}`,
  );
}
console.log(`${caught} of ${chosen.length} caught`);
