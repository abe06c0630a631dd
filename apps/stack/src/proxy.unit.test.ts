import { describe, expect, it } from 'vitest';
import { manageRoutes } from '../../../services/console/src/routes/index.ts';
import { sdkRoutes } from '../../../services/gateway/src/routes/index.ts';
import { isForConsole } from './proxy.ts';

const goes = isForConsole({
  PUBLIC_URL: 'https://api.example',
  LINK_DOMAIN: 'links.example',
  API_HOSTS: 'console, inside',
  IPV6_HOST: 'v6.example:8443',
});
const written = (path: string) => path.replace(/:\w+/g, 'x');

describe('under a name of the API', () => {
  it.each(manageRoutes.map(({ path }) => written(path)))('%s is for the console', (path) => {
    for (const host of ['api.example', 'API.example:8080', 'inside', 'v6.example', 'localhost', '127.0.0.1:80'])
      expect(goes(path, host), host).toBe(true);
  });

  it.each(sdkRoutes.map(({ path }) => written(path)))('%s is for gateways', (path) => {
    expect(goes(path, 'api.example')).toBe(false);
    expect(goes(`/${path}?next=/api/manage/x`, 'api.example')).toBe(false);
  });

  it.each([
    '/',
    '/apps/1/links',
    '/assets/a.js',
    '/docs',
    '/openapi.json',
    '/mcp',
    '/llms.txt',
    '/api/manage?x',
    '/api/share',
    '/share',
    '/embed/x',
    '//api//Manage/apps',
  ])('%s is for the console', (path) => {
    expect(goes(path, 'api.example')).toBe(true);
    expect(goes(`http://api.example${path}`, 'api.example')).toBe(true);
  });

  it.each(['/logos/a.png', '/.well-known/assetlinks.json', '/robots.txt', '/livez', '/readyz', '/metrics', '/api'])(
    '%s is for gateways',
    (path) => expect(goes(path, 'api.example')).toBe(false),
  );
});

it('every other name is a link host, and gateways have those', () => {
  for (const host of ['demo.links.example', 'open-demo.links.example', 'go.shop.example', 'links.example'])
    for (const path of ['/', '/apps', '/api/manage/apps', '/docs']) expect(goes(path, host), host + path).toBe(false);
});

it('a request without a host is for the API', () => {
  expect(goes('/', undefined)).toBe(true);
});
