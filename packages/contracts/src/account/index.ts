// What the account service is asked, and what it tells.
export * from './app-settings.ts';
export * from './apps.ts';
export * from './audit.ts';
export * from './domains.ts';
export * from './email-text.ts';
export * from './host-names.ts';
export * from './identity.ts';
export * from './keys.ts';
export * from './people.ts';
export * from './provider.ts';
export * from './rights.ts';
export * from './sessions.ts';
export * from './sign-in.ts';
export * from './teams.ts';
export * from './tokens.ts';
