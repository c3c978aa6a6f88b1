// The brand's scene over the landing page. Its drawing stands in the document already, put there by the server.
import { useBrand } from '#web/platform/brand.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import styles from './layout.module.css';

export function Hero() {
  useLanguage();
  const { picture, title, text, chip } = useBrand().hero;
  return (
    <div className={styles.hero}>
      {'url' in picture ? (
        <img className={styles.scene} src={picture.url} alt="" />
      ) : (
        <svg className={styles.scene} viewBox={picture.viewBox} preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
          <use href={`#${picture.symbol}`} />
        </svg>
      )}
      <div className={styles.heroIn}>
        {chip && (
          <span className={styles.heroChip}>
            <Chip tone="spark">{chip}</Chip>
          </span>
        )}
        <h1 className="voice">{title}</h1>
        {text && <p>{text}</p>}
      </div>
    </div>
  );
}
