// React's style prop takes custom properties as well: the tier of a card, the progress of a meter.
import 'react';

declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
