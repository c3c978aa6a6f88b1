// Against which providers, protocols and logins the files of a shop are checked: the product's and the shop's own.
import { loadAdapters } from '#server/own-modules/load-modules.ts';

export async function readCheckOptions(root: string) {
  const { adapters, faults } = await loadAdapters(root);
  return { ...adapters, faults };
}
