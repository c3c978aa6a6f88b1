// Draws a product, a currency or a game: the publisher's picture in its sizes, else a drawing of the sprite.
// Decoration.
import { Art } from './Art.tsx';
import styles from './picture.module.css';

/** As it comes over the wire (contracts/pictures.ts). */
export type PictureSource = {
  avif: string;
  webp: string;
  width: number;
  height: number;
  color: string;
  is_opaque: boolean;
};

export type PictureProps = {
  picture: PictureSource | undefined;
  /** The drawing where there is no picture; left out: nothing. */
  art?: string;
  /** Widths in the page, as CSS has them; phones count one point, so that they take the small size. */
  sizes?: string;
  /** In view at once: never put off. */
  isEager?: boolean | undefined;
};

/** Three pixels a point on 80 points are the small size. */
const CARD_SIZES = '(max-width: 699px) 80px, 160px';

export function Picture({ picture, art, sizes = CARD_SIZES, isEager = false }: PictureProps) {
  if (!picture) return art ? <Art name={art} /> : null;
  const { avif, webp, width, height, color, is_opaque: isOpaque } = picture;
  const [first] = color.split(' ');
  return (
    <picture className={styles.picture} data-opaque={isOpaque ? '' : undefined} style={{ '--picture': first }}>
      <source type="image/avif" srcSet={avif} sizes={sizes} />
      <source type="image/webp" srcSet={webp} sizes={sizes} />
      <img
        src={webp.slice(0, webp.indexOf(' '))}
        alt=""
        width={width}
        height={height}
        loading={isEager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
      />
    </picture>
  );
}
