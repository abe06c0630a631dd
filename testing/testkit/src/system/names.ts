// The names of the systems of tests.
export const LINK_DOMAIN = 'links.test';
export const PUBLIC_URL = 'http://api.test';
