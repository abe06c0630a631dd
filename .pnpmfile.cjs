// Changes to the manifests of libraries, before pnpm resolves them.
module.exports = {
  hooks: {
    readPackage(manifest) {
      // Its command line and the compiler generate the client, and it never needs them. As optional peers they would
      // come into the image with everything that they need: 190 MB.
      if (manifest.name === '@prisma/client') {
        manifest.peerDependencies = {};
        manifest.peerDependenciesMeta = {};
      }
      // The app brings its own. Here pnpm would install them, and the newest `react-native` is a broken one.
      if (manifest.name === '@landfall/react-native') manifest.peerDependencies = {};
      return manifest;
    },
  },
};
