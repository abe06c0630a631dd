// The requests to the account service, and its events.
export * from './app-settings.ts';
export * from './apps.ts';
export * from './association.ts';
export * from './audit.ts';
export * from './branding.ts';
export * from './host-names.ts';
export * from './keys.ts';
export * from './logos.ts';
export * from './people/email-text.ts';
export * from './people/name-text.ts';
export * from './people/people.ts';
export * from './people/rights.ts';
export * from './people/sessions.ts';
export * from './people/sign-in.ts';
export * from './people/tokens.ts';
export * from './teams.ts';
export { newTimeZone } from './time-zone.ts';
