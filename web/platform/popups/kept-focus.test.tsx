// The focus over the reload that follows a login.
import { beforeEach, expect, test } from 'vitest';
import { keepFocus } from './keep-focus.ts';
import { giveFocusBack } from './kept-focus.ts';
import { draw, settle } from '../test-page.tsx';

beforeEach(() => sessionStorage.clear());

const Page = ({ user = '' }) => (
  <>
    <header>
      {user === '' ? (
        <button type="button">Log in</button>
      ) : (
        <details>
          <summary aria-label={`Menu of ${user}`}>{user}</summary>
        </details>
      )}
    </header>
    <main>
      <button type="button">Choose a character</button>
    </main>
  </>
);
const button = (words: string): HTMLElement => {
  const found = [...document.querySelectorAll('button')].find((one) => one.textContent === words);
  if (!found) throw new Error(`no button ${words}`);
  return found;
};
/** As a fresh page has it. */
const blur = () => (document.activeElement as HTMLElement | null)?.blur();

test('what opened the login has it again, as soon as it is drawn', async () => {
  await draw(<Page />);
  keepFocus(button('Choose a character'));
  await draw(<p>loading</p>);
  blur();
  giveFocusBack();
  expect(document.activeElement).toBe(document.body);
  await draw(<Page user="kestrel" />);
  await settle();
  expect(document.activeElement?.textContent).toBe('Choose a character');
});

test('the button of the head is gone: the menu of the player has it', async () => {
  await draw(<Page />);
  keepFocus(button('Log in'));
  await draw(<Page user="kestrel" />);
  blur();
  giveFocusBack();
  await settle();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Menu of kestrel');
});

test('a player who has begun something keeps their place', async () => {
  await draw(<Page />);
  keepFocus(button('Choose a character'));
  await draw(<p>loading</p>);
  blur();
  giveFocusBack();
  dispatchEvent(new Event('pointerdown'));
  await draw(<Page user="kestrel" />);
  await settle();
  expect(document.activeElement).toBe(document.body);
});
