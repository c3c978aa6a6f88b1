// A page or part with nothing to show: a drawing, one sentence what, one sentence what to do, at most one button.
import type { ReactNode } from 'react';
import { Art } from './pictures/Art.tsx';
import styles from './void-state.module.css';

export type VoidStateProps = {
  /** A drawing: st-empty, st-error, st-offline, st-notfound, st-region, st-expired, st-done, or one of the goods. */
  art: string;
  title: string;
  text?: ReactNode;
  /** One button or link; a picker where there is something to choose. */
  action?: ReactNode;
  /** 1 where it is the whole page. */
  level?: 1 | 2;
};

export function VoidState({ art, title, text, action, level = 2 }: VoidStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <section className={styles.void}>
      <Art name={art} />
      <Heading className="voice">{title}</Heading>
      {text && <p>{text}</p>}
      {action}
    </section>
  );
}
