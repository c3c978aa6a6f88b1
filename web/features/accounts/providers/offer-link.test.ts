// The link that a player takes to another browser.
import { expect, test } from 'vitest';
import { siteLink } from './offer-link.ts';

test.each([
  ['sea', '70021', 'https://pay.example/?domain_area=sea&client_id=70021'],
  ['', '70021', 'https://pay.example/?client_id=70021'],
  ['', '', 'https://pay.example/'],
  ['sea', 'a&oauth_token=x', 'https://pay.example/?domain_area=sea&client_id=a%26oauth_token%3Dx'],
])('region %j and game %j', (region, clientId, link) => {
  expect(siteLink('https://pay.example', region, clientId)).toBe(link);
});
