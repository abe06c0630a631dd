// Runs a program of this repository under Node 24, also from a bare clone. It first installs missing parts. Usage: node
// scripts/boot.mjs [NODE FLAGS...] FILE [ARGS...] Old versions of Node must be able to read this file, so it imports
// everything else after the version check. The minimum versions are those of Prisma.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major >= 23 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
  import('./run.mjs');
} else {
  console.error(
    `Landfall starts with Node 20.19, 22.12 or newer, and this is ${process.version}: install Node 24, and start again.`,
  );
  process.exitCode = 1;
}
