// The brand's logo: a drawing that the server put into the document, or a picture file.
import { useBrand } from '#web/platform/brand.ts';
import styles from '../layout.module.css';

export function BrandMark() {
  const { logo } = useBrand();
  if ('url' in logo) return <img className={styles.logo} src={logo.url} alt="" width={32} height={32} />;
  return (
    <svg className={styles.logo} viewBox={logo.viewBox} aria-hidden="true">
      <use href={`#${logo.symbol}`} />
    </svg>
  );
}
