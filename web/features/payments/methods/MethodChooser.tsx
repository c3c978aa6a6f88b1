// The methods in each of their states: loading, there, none, failed. Shared by sheet, panel and the classic page.
import { type ReactNode, type Ref, useId } from 'react';
import { useCountryName } from '#web/platform/country/use-country-name.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { MethodList } from './MethodList.tsx';
import { MethodSkeleton } from './MethodRow.tsx';
import type { Methods } from './use-methods.ts';
import styles from './methods.module.css';

export type MethodChooserProps = {
  methods: Methods;
  hasCoupon: boolean;
  isOpenWide?: boolean;
  isUnfolded: boolean;
  onUnfold: () => void;
  fields?: ReactNode;
  ref?: Ref<HTMLFieldSetElement> | undefined;
};

export function MethodChooser(props: MethodChooserProps) {
  const { methods, hasCoupon, isOpenWide = false, isUnfolded, onUnfold, fields = null, ref } = props;
  useLanguage();
  const country = useCountryName();
  const name = useId();
  const { channels, count } = methods;
  if (channels.isError && !channels.data) {
    return (
      <div className={styles.ways}>
        <Note tone="bad">
          {t('recharge.load_error')} {tellFault(channels.error)}
        </Note>
        <Button onClick={() => void channels.refetch()}>{t('goods.retry')}</Button>
      </div>
    );
  }
  if (!channels.data) return <MethodSkeleton />;
  if (count === 0) return <Note tone="wait">{t('recharge.tip_no_data', { country })}</Note>;
  return <MethodList {...{ name, methods, hasCoupon, isOpenWide, isUnfolded, onUnfold, fields, ref }} />;
}
