// The title of the browser's tab on pages that the header names none for.
import { useEffect } from 'react';
import { useBrand } from '#web/platform/brand.ts';

/** @param title the page's heading */
export function usePageTitle(title: string): void {
  const { title: shop } = useBrand();
  useEffect(() => {
    let isLeft = false;
    // After the frame's own effect, which runs last and knows no title for this page.
    queueMicrotask(() => {
      if (!isLeft) document.title = `${title} · ${shop}`;
    });
    return () => {
      isLeft = true;
      document.title = shop;
    };
  }, [title, shop]);
}
