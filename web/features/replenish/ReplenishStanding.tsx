// Shows the state of a make-up payment when there is nothing to pay on the page: paid and unblocked, returned, over,
// another's.
import { type ReactNode, useEffect, useState } from 'react';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import styles from './replenish.module.css';
import { promisedAt } from './rules.ts';

export type ReplenishStandingProps = {
  info: ReplenishInfo;
  /** A link to customer service, where the brand names one. */
  support: ReactNode;
  /** The way back into the game, where the publisher names one. */
  openGame: ReactNode;
  onSwitchAccount: () => void;
};

export function ReplenishStanding({ info, support, openGame, onSwitchAccount }: ReplenishStandingProps) {
  useLanguage();
  const { game_name: game, user_name: name } = info;
  if (!info.is_own) {
    const button = (
      <Button kind="pay" onClick={onSwitchAccount}>
        {t('account.switch')}
      </Button>
    );
    const text = t('replenish.other_text', { name: isolate(name), game: isolate(game) });
    return <VoidState level={1} art="st-error" title={t('replenish.other_title')} text={text} action={button} />;
  }
  switch (info.state) {
    case 'paid':
      return <Paid info={info} />;
    case 'unblocked':
      return (
        <VoidState
          level={1}
          art="st-done"
          title={t('replenish.unblocked_title')}
          text={t('replenish.unblocked_text', { time: showMoment(info.unblocked_at) })}
          action={openGame}
        />
      );
    case 'returned':
      return (
        <VoidState
          level={1}
          art="st-error"
          title={t('replenish.returned_title')}
          text={t('replenish.returned_text')}
          action={support}
        />
      );
    case 'closed':
      return (
        <VoidState
          level={1}
          art="st-done"
          title={t('replenish.closed_title')}
          text={t('replenish.closed_text')}
          action={support}
        />
      );
    case 'none': {
      const text = t('replenish.none_text', { name: isolate(name), game: isolate(game) });
      return <VoidState level={1} art="st-empty" title={t('replenish.none_title')} text={text} action={support} />;
    }
    default:
      // @source specification section 8: "page expired, get a new link from customer service"
      return (
        <VoidState
          level={1}
          art="st-expired"
          title={t('show_error.expired_title')}
          text={t('show_error.expired_text')}
          action={support}
        />
      );
  }
}

/** Our choice: a page that stands open notices the end of the promise within half a minute. */
const LOOK_MS = 30_000;

function Paid({ info }: { info: ReplenishInfo }) {
  const by = promisedAt(info.paid_at);
  const [isLate, setLate] = useState(() => Date.now() > by);
  useEffect(() => {
    const timer = setInterval(() => setLate(Date.now() > by), LOOK_MS);
    return () => clearInterval(timer);
  }, [by]);
  const line = t('replenish.paid_line', { time: showMoment(info.paid_at), by: showMoment(by) });
  return (
    <div className={styles.paid} role="status">
      <VoidState level={1} art="st-done" title={t('replenish.paid_title')} text={t('replenish.paid_text')} />
      <Note tone="wait">
        <span>{isLate ? t('replenish.late') : line}</span>
      </Note>
    </div>
  );
}

/** A name of another script stays whole in the sentence: U+2068 and U+2069 isolate it, as `bdi` does in HTML. */
function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
