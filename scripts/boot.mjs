// Runs a program of this repository under Node 24, also from a bare clone: what is missing is installed first.
//   node scripts/boot.mjs FILE [ARGS...]
// Old Nodes must be able to read this file, so everything else is imported behind the check.
const oldest = '20.19';
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  import('./run.mjs');
} else {
  console.error(
    `Landfall needs Node ${oldest} or newer, and this is ${process.version}: install a newer one, and start again.`,
  );
  process.exitCode = 1;
}
