import { expect, it } from 'vitest';
import { guides } from '../../../build/guides.ts';
import { searchOver } from './search.ts';

/** The texts of the guides as the web app has them. */
function guideTexts() {
  const load = guides().load as (id: string) => string;
  return JSON.parse(load('\0virtual:guide-texts').replace(/^export default |;$/g, ''));
}

const search = searchOver(guideTexts(), undefined);

it.each([
  ['getting started', 'guides/first-app'],
  ['self-hosting', 'guides/docker-compose#start'],
  ['how do I install it', 'guides/docker-compose#start'],
  ['sign up', 'guides/people#the-first-owner'],
  ['log out', 'guides/people#sessions-and-tokens'],
  ['Android SDK', 'clients/kotlin'],
  ['iOS SDK', 'clients/swift'],
  ['web sdk', 'clients/javascript/web'],
  ['javascript', 'clients'],
  ['deep link', 'guides/add-to-an-app'],
  ['how it works', 'explanation/matching'],
  ['how does matching work', 'explanation/matching'],
  ['environment variables', 'reference/configuration'],
  ['test on a device', 'guides/real-phone'],
  ['fallback url', 'guides/add-to-an-app#2-tell-landfall-the-ids-of-the-app'],
  ['redirect desktop users', 'guides/try-a-link#the-rules'],
  ['restore not working', 'explanation/matching#why-did-a-restore-give-nothing'],
  ['event schema', 'reference/messages#the-form-of-a-record'],
  ['kafka topics', 'reference/messages#public-topics'],
  ['match accuracy', 'explanation/matching#what-evidence-is-worth'],
  ['geo location', 'guides/analytics#dimensions'],
  ['android setup', 'guides/add-to-an-app'],
  ['deep link not working', 'guides/try-a-link'],
  ['universal links', 'guides/add-to-an-app#3-let-the-system-open-the-app'],
  ['app does not open', 'guides/real-phone#a-real-phone-in-two-minutes'],
  ['link opens browser instead of app', 'guides/add-to-an-app#3-let-the-system-open-the-app'],
  ['custom slug', 'guides/web-app#make-a-link'],
  ['create a link', 'guides/web-app#make-a-link'],
  ['delete a link', 'guides/web-app#one-link'],
  ['rename link', 'guides/web-app#one-link'],
  ['utm parameters', 'guides/web-app#make-a-link'],
  ['conversions', 'guides/analytics#funnel-cohorts-referrals'],
  ['attribution', 'explanation/matching'],
  ['notifications', 'guides/push'],
  ['apns certificate', 'guides/push#give-your-credentials'],
  ['forgot password', 'guides/people#email'],
  ['2FA', 'guides/people#second-factor'],
  ['login', 'guides/people#sign-in-with-your-identity-provider'],
  ['emails not arriving', 'guides/people#email'],
  ['update', 'guides/scaling-out#upgrades'],
  ['rollback', 'guides/scaling-out#upgrades'],
  ['how many taps can it handle', 'scaling'],
  ['health check', 'reference/metrics#endpoints'],
  ['troubleshooting', 'reference/doctor'],
  ['k8s', 'guides/scaling-out#kubernetes'],
  ['gdpr', 'reference/data-inventory'],
  ['shortio', 'guides/move-from-others'],
  ['migrating', 'guides/move-from-others'],
  ['install', 'guides/docker-compose#start'],
  ['push notification setup', 'guides/push#give-your-credentials'],
  ['push not received', 'guides/push#if-a-push-does-not-arrive'],
  ['unique visitors', 'guides/analytics#metrics'],
  ['link not opening app', 'guides/add-to-an-app#3-let-the-system-open-the-app'],
  ['ssl certificate', 'guides/docker-compose#https'],
  ['authentication', 'guides/first-app#kinds-of-keys'],
  ['bulk import links', 'guides/web-app#import-links'],
  ['export data', 'guides/analytics#ask-for-figures'],
  ['wrong person restored', 'explanation/matching#what-evidence-is-worth'],
  ['referral program', 'guides/analytics#funnel-cohorts-referrals'],
  ['install referrer', 'explanation/matching#four-tiers'],
  ['Kotlin SDK', 'clients/kotlin'],
  ['data retention', 'reference/limits#retention'],
  ['test on simulator', 'guides/real-phone#a-build-of-your-own-app'],
])('%s leads to %s, among the first three', (words, place) => {
  const { found } = search(words);
  expect(found.slice(0, 3).map(({ href }) => href.slice('/docs/'.length))).toContain(place);
});
