// Pages that few visits see, in one file: the name of each further one would stand in the first script.
export { CertifiedReal } from '../certified-real.tsx';
export { EnterCode } from '../enter-code.tsx';
export { ErrorReplenish } from './error-replenish.tsx';
export { NotArea } from './not-area.tsx';
export { NotFound } from './not-found.tsx';
export { ShowError } from './show-error.tsx';
