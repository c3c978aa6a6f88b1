// Draws the top of the landing page: the brand's own scene, else the key art of the chosen game. The server drew the
// same before.
import { HERO_SIZES, type KeyArt } from '#contracts/pictures.ts';
import { useBrand } from '#web/platform/brand.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import styles from './layout.module.css';

/** @param props.art key art of the chosen game; the brand's own goes before it */
export function Hero({ art }: { art: KeyArt | null }) {
  useLanguage();
  const { picture, title, text, chip } = useBrand().hero;
  const shown = picture ?? art;
  return (
    <div className={styles.hero} data-hero="" data-picture={shown && 'avif' in shown ? '' : undefined}>
      {shown && <Scene picture={shown} />}
      <div className={styles.heroIn}>
        {chip && (
          <span className={styles.heroChip}>
            <Chip tone="spark">{chip}</Chip>
          </span>
        )}
        {/* In another language than the page where a brand has not all of them: its full stop stays at its end. */}
        <h1 className="voice">
          <bdi>{title}</bdi>
        </h1>
        {text && (
          <p>
            <bdi>{text}</bdi>
          </p>
        )}
      </div>
    </div>
  );
}

function Scene({ picture }: { picture: NonNullable<ReturnType<typeof useBrand>['hero']['picture']> }) {
  if ('avif' in picture) {
    const { avif, webp, width, height, color, focus } = picture;
    const sky = `linear-gradient(${color.replaceAll(' ', ',')},${color.slice(-7)})`;
    return (
      <picture
        className={styles.scene}
        data-art={avif.split(' ')[0]}
        style={{ '--art-focus': focus, '--art-sky': sky }}
      >
        <source type="image/avif" srcSet={avif} sizes={HERO_SIZES} />
        <source type="image/webp" srcSet={webp} sizes={HERO_SIZES} />
        <img src={webp.slice(webp.lastIndexOf('/pictures/')).split(' ')[0]} alt="" width={width} height={height} />
      </picture>
    );
  }
  if ('url' in picture) return <img className={styles.scene} src={picture.url} alt="" />;
  return (
    <svg className={styles.scene} viewBox={picture.viewBox} preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
      <use href={`#${picture.symbol}`} />
    </svg>
  );
}
