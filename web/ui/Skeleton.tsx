// A grey box of the size of what is coming. Give it its size by class.
import styles from './skeleton.module.css';

export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={className ? `${styles.bone} ${className}` : styles.bone} aria-hidden="true" />;
}
