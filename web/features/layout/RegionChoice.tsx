// The regions a brand sells in, to choose from. A choice starts the page again: prices, games and links depend on it.
import { parseQuery, paths, readSearch, writeQuery } from '#web/paths.ts';
import type { PageData } from '#contracts/boot.ts';
import { reopen } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { keepRegion, keptArea } from '#web/platform/region.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import styles from './region.module.css';

export function RegionChoice({ regions }: { regions: PageData['regions'] }) {
  useLanguage();
  const choose = (region: PageData['regions'][number]['region']) => {
    keepRegion(region);
    // The game of the link stays asked for, and its client may be tied to another region.
    const search = { ...readSearch(parseQuery(location.search)), domain_area: undefined };
    const area = keptArea(search.client_id ?? '');
    reopen(new URL(paths.selectGoods + writeQuery({ ...search, ...area }), location.href));
  };
  return (
    <div className={styles.regions} role="group" aria-label={t('not_area.regions')}>
      {regions.map(({ region, name }) => (
        <Button key={region} isWide onClick={() => choose(region)}>
          {name}
        </Button>
      ))}
    </div>
  );
}
