// Changes to the manifests of libraries, before pnpm resolves them.
module.exports = {
  hooks: {
    readPackage(manifest) {
      // Its command line and the compiler generate the client, and it never needs them. As optional peers they would
      // come into the image with everything that they need: 190 MB.
      // React Native is the app's. Here it would be 1,000 packages more for everybody who starts Landfall.
      if (manifest.name === '@prisma/client' || manifest.name === '@landfall/react-native') {
        manifest.peerDependencies = {};
        manifest.peerDependenciesMeta = {};
      }
      return manifest;
    },
  },
};
