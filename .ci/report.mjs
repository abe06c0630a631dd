// Reads the results of all steps and the reports of all runs of tests: `node report.mjs FOLDER 'STEP…' 'RUN…'`. A step or
// run that failed, a run that counted nothing, and a skipped test are failures.
// The failed tests come last, with their reasons: whoever has only the end of the log has them.
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const [folder, steps, names] = process.argv.slice(2);
const nothing = {
  numPassedTests: 0,
  numFailedTests: 0,
  numFailedTestSuites: 1,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

const statusOf = (name) => {
  const status = `${folder}/${name}.status`;
  return existsSync(status) ? readFileSync(status, 'utf8').trim() : 'none';
};
const succeeded = (name) => statusOf(name) === '0';
const runs = names.split(' ').map((name) => {
  const report = `${folder}/${name}.json`;
  return { name, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : nothing };
});
const sum = (count) => runs.reduce((total, { report }) => total + report[count], 0);

/** The beginning of a message, and its end: a command that failed says the reason last. */
function indented(text) {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'));
  const shown = lines.length > 40 ? [...lines.slice(0, 24), '[…]', ...lines.slice(-16)] : lines;
  return shown.map((line) => `    ${line}`).join('\n');
}

/** What vitest's log says of each failure, with the difference that its report does not hold. By the title. */
const blocksOf = (name) =>
  [...logOf(name).matchAll(/^ *FAIL +(.*)\n([\s\S]*?)(?=^⎯+\[\d+\/\d+\]|^ *FAIL |(?![\s\S]))/gm)].map(
    ([, title, text]) => ({
      title: title.trim(),
      text,
    }),
  );
function logOf(name) {
  const log = `${folder}/${name}.log`;
  return existsSync(log) ? stripVTControlCharacters(readFileSync(log, 'utf8')) : '';
}

for (const { name, report } of runs) {
  const left = blocksOf(name);
  for (const suite of report.testResults.filter(({ status }) => status === 'failed')) {
    if (suite.message) console.log(`FAILED ${name}: ${suite.name}\n${indented(suite.message)}`);
    for (const test of suite.assertionResults.filter(({ status }) => status === 'failed')) {
      console.log(`FAILED ${name}: ${suite.name}: ${test.fullName}`);
      const at = left.findIndex(({ title }) => title.endsWith(test.title));
      const [block] = at === -1 ? [] : left.splice(at, 1);
      for (const message of block ? [block.text] : test.failureMessages) console.log(indented(message));
    }
  }
  // The report does not hold the errors of hooks, which skip the tests of their suite.
  for (const { title, text } of succeeded(name) ? [] : left) console.log(`FAILED ${name}: ${title}\n${indented(text)}`);
}

const passed = sum('numPassedTests');
const failed = sum('numFailedTests');
const skipped = sum('numPendingTests') + sum('numTodoTests');
if (skipped > 0) console.log(`${skipped} tests were skipped: a skip is a failure here.`);
for (const { name, report } of runs)
  for (const suite of report.testResults) {
    const count = suite.assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status)).length;
    if (count > 0) console.log(`    ${name}: ${count} of ${suite.name}`);
  }
const broken = [...steps.split(' '), ...names.split(' ')].filter((name) => !succeeded(name));
for (const name of broken.filter((one) => ['124', '137'].includes(statusOf(one))))
  console.log(`${name} had not ended in its time.`);
for (const name of broken) console.log(`${name} failed. All of its output: ${folder}/${name}.log`);
const empty = runs.filter(({ report }) => report.numPassedTests === 0);
for (const { name } of empty) console.log(`The run ${name} counted no test.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(broken.length || failed || sum('numFailedTestSuites') || skipped || empty.length ? 1 : 0);
