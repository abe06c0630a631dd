// Expo looks for this file when `app.json` names the package as a plugin.
module.exports = require('./dist/cjs/plugin.js').default;
