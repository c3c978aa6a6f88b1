// Pieces of HTML that several pages have.

/** A grey box in the place of something that is on its way. */
export const bone = (className: string): string => `<span class="skeleton-bone ${className}"></span>`;
