// The table of all error codes: the status, and the sentence that people read. Spec 7.
import type * as contracts from '@landfall/contracts';
import type { RefusalOf } from '@landfall/contracts';

type CodeOf<D> = [RefusalOf<D>] extends [never] ? never : RefusalOf<D>['code'];
type RefusalCode = { [N in keyof typeof contracts]: CodeOf<(typeof contracts)[N]> }[keyof typeof contracts];
type Row = readonly [status: number, sentence: string];

/** Error codes of the gateway itself. */
const own = {
  INVALID_REQUEST: [400, 'The request is not valid.'],
  INVALID_JSON: [400, 'The request body is not valid JSON.'],
  UNAUTHORIZED: [401, 'The API key is missing or invalid.'],
  MOBILE_KEY_NEEDED: [401, 'A server key is not accepted here. Use a mobile key: this route is for apps.'],
  SERVER_KEY_NEEDED: [401, 'A mobile key is not accepted here. Use a server key: this route is for backends.'],
  NOT_SIGNED_IN: [401, 'Sign in, or send a token.'],
  CROSS_SITE: [403, 'This request comes from another site, or lacks the header x-landfall.'],
  NOT_FOUND: [404, 'There is nothing at this path.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support the method.'],
  BODY_TOO_LARGE: [413, 'The request body is too large: the limit is 64 KB, or 1 MB for links in bulk and for pushes.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request body must be application/json in UTF-8.'],
  UTM_TEMPLATE_NOT_FOUND: [404, 'The app has no such template.'],
  TOO_MANY_UTM_TEMPLATES: [409, 'An app can have at most 200 templates of campaign values.'],
  COUNT_CHANGED: [409, 'The filter finds another number of links than you expect: read the list again.'],
  NARROW_FILTER: [400, 'The filter finds too many links: narrow it.'],
  DOMAIN_UNPROVEN: [409, 'The TXT record of this domain was not found.'],
  RATE_LIMITED: [429, 'Too many requests from this address, or with this server key.'],
  TOO_MANY_STREAMS: [429, 'Too many live streams are open: close one of them.'],
  SIGN_IN_BUSY: [429, 'Too many people sign in at once: try again in a moment. The credentials were not checked.'],
  IDENTITY_TOKEN_INVALID: [401, 'The identity token is not valid.'],
  WRONG_ADDRESS_FAMILY: [
    400,
    'The request did not come over IPv6. Call this path on a host that has an AAAA record only.',
  ],
  FAILED: [500, 'Something went wrong on our side.'],
  BUSY: [503, 'The service is busy and nothing was done. Repeat the request.'],
  NO_ANSWER: [
    503,
    'No answer came in time. It is unknown whether the request was executed. Repeat with the same Idempotency-Key: without one, a repeat may do it twice.',
  ],
  DNS_SILENT: [503, 'The DNS servers of this domain do not answer: check its DNS zone, and try again.'],
} as const satisfies Record<string, Row>;

/** Codes with which a service or a route may refuse. A message's code that is not listed here does not compile. */
const refused = {
  SLUG_TAKEN: [409, 'Another link of the app has this slug.'],
  TOO_MANY_TAGS: [409, 'An app can have at most 500 different tags.'],
  APP_NOT_FOUND: [404, 'There is no such app, or it is archived.'],
  LINK_NOT_FOUND: [404, 'There is no such link.'],
  LOGO_NOT_FOUND: [404, 'There is no such logo.'],
  NOTIFICATION_NOT_FOUND: [404, 'There is no such notification.'],
  DEVICE_NOT_FOUND: [404, 'The app has no such device.'],
  PROVIDER_NOT_FOUND: [404, 'The app has no credentials for this provider.'],
  PUSH_BEGUN: [409, 'The push is no longer scheduled: it is being sent, was sent, or was cancelled.'],
  PUSH_CREDENTIALS_REFUSED: [400, 'The provider refuses these credentials.'],
  PUSH_SENT: [409, 'The push was sent to all of its devices: there is nothing left to stop.'],
  PUSH_TOO_LARGE: [400, 'The push is larger than a provider accepts: shorten its texts or its metadata.'],
  PUSH_WITHOUT_TITLE: [400, 'A push that is not silent needs a title or a body.'],
  KEY_NOT_FOUND: [404, 'The app has no such key.'],
  KEY_RETIRED: [409, 'This key was revoked or already rotated: rotate its successor, or create another key.'],
  IDENTITY_SECRET_NEEDED: [409, 'The app needs a secret that checks tokens: create one first, or set identity to off.'],
  IDENTITY_SECRET_NOT_FOUND: [404, 'The app has no such secret, or it has expired.'],
  KEY_UNKNOWN: [401, 'The API key is missing or invalid.'],
  TOKEN_UNKNOWN: [401, 'The token is missing or invalid.'],
  GENERATED_LINKS_LIMIT_REACHED: [403, 'The limit of generated links of the plan for this month is reached.'],
  IDEMPOTENCY_KEY_REUSED: [400, 'This idempotency key was used with another request body.'],
  SUBDOMAIN_TAKEN: [409, 'Another app has or had this subdomain.'],
  SUBDOMAIN_RESERVED: [409, 'This subdomain is reserved.'],
  ALREADY_MEMBER: [409, 'This person is already in the team.'],
  CODE_UNKNOWN: [401, 'This code is not valid, or was already used.'],
  EMAIL_NOT_VERIFIED: [403, 'The provider has not verified your email.'],
  FORBIDDEN: [403, 'Your role, or the scope of your token, does not allow this.'],
  INVITATION_NOT_FOUND: [404, 'There is no such invitation, or it was used, was withdrawn or has expired.'],
  INVITED_OTHER: [403, 'This invitation is for another email: sign in with that email.'],
  LAST_OWNER: [409, 'A team must have at least one owner.'],
  DOMAIN_EXISTS: [409, 'The app already has this domain.'],
  DOMAIN_NOT_FOUND: [404, 'The app has no such domain.'],
  DOMAIN_NOT_VERIFIED: [409, 'Only a verified domain of the app can carry its links.'],
  DOMAIN_TAKEN: [409, 'This domain is in use by another app: it must be removed there first.'],
  TEAM_HAS_APPS: [409, 'The team has apps: give them to another team, or archive them first.'],
  TOO_MANY_APPS: [
    409,
    'The team has reached its limit of apps, archived ones included: ask an owner of the installation.',
  ],
  TOO_MANY_DOMAINS: [409, 'An app can have at most 20 domains.'],
  TOO_MANY_SUBDOMAINS: [
    409,
    'The app has reached its limit of former subdomains: take one of them back, or ask an owner of the installation.',
  ],
  TOO_MANY_TEAMS: [409, 'You have reached your limit of own teams: ask an owner of the installation.'],
  MEMBER_NOT_FOUND: [404, 'The team has no such member.'],
  CATCHING_UP: [
    503,
    'The taps of the last seconds are still being stored, so no link was given. Repeat the request later.',
  ],
  NO_ACCOUNT: [403, 'There is no account with your email: ask for an invitation.'],
  OTHER_IDENTITY: [409, 'This account is linked to another identity at the provider.'],
  PASSWORD_COMMON: [400, 'This password is among the most common ones.'],
  PASSWORD_FIRST: [403, 'First sign in once with your password in this browser, then through the provider.'],
  PASSWORD_TOO_SHORT: [400, 'A password must have at least 10 characters.'],
  PERSON_EXISTS: [409, 'An account with this email exists: sign in, and accept the invitation.'],
  PERSON_NOT_FOUND: [404, 'There is no such person.'],
  SESSION_NOT_FOUND: [404, 'There is no such session.'],
  SESSION_UNKNOWN: [401, 'Sign in, or send a token.'],
  SET_UP_DONE: [409, 'This instance already has an owner.'],
  SIGN_IN_DELAYED: [429, 'Too many failed sign-ins: wait before you try again.'],
  SIGN_IN_USED: [409, 'This sign-in was already used.'],
  TEAM_NOT_FOUND: [404, 'There is no such team.'],
  TOKEN_NOT_FOUND: [404, 'There is no such token.'],
  VERSION_MISMATCH: [412, 'It has changed since you read it: read it again.'],
  WRONG_CREDENTIALS: [401, 'The email or the password is wrong.'],
  RANGE_EMPTY: [400, '`to` must be after `from`.'],
  RANGE_TOO_LONG: [400, 'The range has too many buckets: choose a longer `interval`, or a shorter range.'],
  DIMENSION_UNKNOWN: [400, 'This metric cannot be split or filtered by this dimension.'],
  QUESTION_TOO_LARGE: [
    400,
    'Too many events must be read for this question: choose a shorter range, or fewer filters.',
  ],
  TOO_MANY_QUESTIONS: [429, 'Too many questions to analytics wait for an answer: ask fewer at the same time.'],
} as const satisfies Record<RefusalCode, Row> & Record<string, Row>;

export const errorTable = { ...own, ...refused };
export type ErrorCode = keyof typeof errorTable;
