// What the systems of tests are called.
export const LINK_DOMAIN = 'links.test';
export const PUBLIC_URL = 'http://api.test';
