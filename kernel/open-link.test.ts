// Which addresses may open a game.
import { expect, test } from 'vitest';
import { isOpenLink } from './open-link.ts';

test.each([
  ['https://play.emberfall.example/open', true],
  ['emberfall://open', true],
  ['com.wattgames.emberfall://shop/back', true],
  ['http://play.emberfall.example', false],
  ['javascript://%0Aalert(1)', false],
  ['JavaScript://x', false],
  ['data://text/html,x', false],
  ['file://etc/passwd', false],
  ['intent://x#Intent;end', false],
  ['tel://112', false],
  ['c://windows', false],
  ['emberfall:open', false],
  ['emberfall://', false],
  ['emberfall://a b', false],
  ['', false],
])('%s: %j', (link, expected) => {
  expect(isOpenLink(link)).toBe(expected);
});
