// The few words of the first picture, out of the page's own messages.
import type { BootData } from '#contracts/boot.ts';
import type { FirstAidTexts } from './first-aid.ts';

/** Already in the page's language. */
export type PictureTexts = {
  topup: string;
  event: string;
  gift: string;
  my: string;
  login: string;
  loading: string;
  noScript: string;
  aid: FirstAidTexts;
  beta: { title: string; text: string };
  /** Headings of the classic version's pages, and what its steps are called. */
  headings: readonly string[];
  steps: readonly string[];
};

/** All of them are plain texts without values. */
export function readTexts({ messages }: Pick<BootData, 'messages'>): PictureTexts {
  const read = (id: string) => {
    const message = messages[id];
    return Array.isArray(message) ? message.filter((part) => typeof part === 'string').join('') : '';
  };
  return {
    topup: read('nav.topup'),
    event: read('nav.event'),
    gift: read('nav.gift'),
    my: read('nav.my'),
    login: read('login.submit'),
    loading: read('shell.loading'),
    noScript: read('shell.no_script'),
    aid: { lost: read('shell.lost'), reload: read('part.reload'), old: read('shell.old_browser') },
    beta: { title: read('beta.title'), text: read('beta.text') },
    headings: ['game.choose', 'steps.select_goods', 'recharge.title', 'result.title'].map(read),
    steps: ['steps.select_game', 'steps.select_goods', 'steps.recharge', 'steps.result'].map(read),
  };
}
