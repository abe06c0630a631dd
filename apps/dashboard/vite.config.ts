import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { frameFirst } from './build/frame-first.ts';
import { guides } from './build/guides.ts';
import { routeOptions } from './build/route-options.ts';
import { setUpCode } from './build/set-up-code.ts';
import { words } from './build/words.ts';

/** The address of a running Landfall, for `npm run dev`. */
const api = process.env.PUBLIC_URL ?? 'http://localhost:8080';

const BASE = /node_modules\/(?:react|react-dom|scheduler|use-intl|icu-minify|@formatjs)\/|src\/words\/words\.ts/;

export default defineConfig(({ command }) => {
  // A test sets it to `test`. The build would be one for development then, half as large again, and would be kept.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    plugins: [tanstackRouter(routeOptions), react(), guides(), setUpCode(), words(), frameFirst()],
    // The gateway replaces it with a new value for each answer.
    html: { cspNonce: '__NONCE__' },
    build: {
      // For the check of its size.
      manifest: true,
      target: 'baseline-widely-available',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        // The page of a share is a program of its own.
        input: ['index.html', 'share.html'].map((file) => path.join(import.meta.dirname, file)),
        output: {
          // What most pages use is one file. A hundred small files cost a slow phone more than their bytes.
          codeSplitting: {
            groups: [
              // Both programs need these.
              { name: 'base', test: BASE, priority: 2 },
              { name: 'ui', test: /node_modules|src\/(parts|api)/, minShareCount: 24, priority: 1 },
            ],
          },
        },
      },
    },
    server: {
      // The session belongs to the origin of the API, and so do the requests that change something.
      proxy: { '^/(api|openapi.json|readyz|livez)': { target: api, headers: { origin: api } } },
    },
  };
});
