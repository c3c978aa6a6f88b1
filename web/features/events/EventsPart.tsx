// The events of a game in tabs: coming by each day, for a total, and for days in a row. A kind without an event has no
// tab.
import { useState } from 'react';
import type { ActivityType } from '#contracts/events.ts';
import type { PageConfig } from '#contracts/games.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/controls/Tabs.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { EventCard } from './EventCard.tsx';
import { type EventPlace, isEventGone, type RewardReceiver, useActivities, useReceive } from './queries.ts';
import styles from './events.module.css';

export type EventsPartProps = {
  place: EventPlace;
  kinds: readonly ActivityType[];
  isLoggedIn: boolean;
  /** Null: no character is chosen yet. */
  receiver: RewardReceiver | null;
  onLogin: () => void;
  onChooseReceiver: () => void;
};

/** The daily reward first: it is what a player comes for. @source specification section 3, "Page config" */
export function kindsOf(config: PageConfig | null | undefined): ActivityType[] {
  return [
    ...(config?.daily_config.is_has_daily ? (['daily'] as const) : []),
    ...(config?.cumulative_config.is_has_cumulative ? (['cumulative'] as const) : []),
    ...(config?.continue_config.is_has_continue ? (['continue'] as const) : []),
  ];
}

const LABELS = { daily: 'events.tab_daily', cumulative: 'events.tab_total', continue: 'events.tab_days' } as const;

export function EventsPart({ kinds, ...rest }: EventsPartProps) {
  useLanguage();
  const [wanted, setWanted] = useState<ActivityType | null>(null);
  const chosen = kinds.find((kind) => kind === wanted) ?? kinds[0] ?? 'cumulative';
  if (kinds.length < 2) return <EventsOfKind key={chosen} type={chosen} {...rest} />;
  return (
    <Tabs
      label={t('events.tabs')}
      tabs={kinds.map((key) => ({ key, label: t(LABELS[key]) }))}
      chosen={chosen}
      onChoose={setWanted}
    >
      <EventsOfKind key={chosen} type={chosen} {...rest} />
    </Tabs>
  );
}

function EventsOfKind({
  type,
  place,
  isLoggedIn,
  receiver,
  onLogin,
  onChooseReceiver,
}: Omit<EventsPartProps, 'kinds'> & { type: ActivityType }) {
  const activities = useActivities(type, place, isLoggedIn);
  const { busy, receive } = useReceive(type, place);
  if (!activities.data) {
    if (activities.isError && !isEventGone(activities.error)) {
      const retry = <Button onClick={() => void activities.refetch()}>{t('goods.retry')}</Button>;
      return (
        <VoidState art="st-error" title={t('events.error_title')} text={tellFault(activities.error)} action={retry} />
      );
    }
    if (activities.isError) return <NoEvents />;
    return (
      <div className={styles.list} role="status" aria-busy="true" aria-label={t('events.loading')}>
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
      </div>
    );
  }
  if (activities.data.list.length === 0) return <NoEvents />;
  return (
    <div className={styles.list}>
      {activities.data.list.map((activity) => (
        <EventCard
          key={activity.activity_id}
          activity={activity}
          isLoggedIn={isLoggedIn}
          busy={busy}
          onLogin={onLogin}
          onReceive={(giftId) => (receiver ? void receive(activity.activity_id, giftId, receiver) : onChooseReceiver())}
        />
      ))}
    </div>
  );
}

function NoEvents() {
  return <VoidState art="st-empty" title={t('not_open.title')} text={t('events.tip_no_data')} />;
}
