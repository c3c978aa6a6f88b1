// Loads a part of the demonstration, whose packages a lean server leaves out (npm run lean).
import { InputFault } from './terminal.ts';

/**
 * @param lacks the begin of a sentence that ends with "not installed"
 * @throws InputFault where its packages are not installed
 */
export async function loadDemonstration<Part>(lacks: string, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new InputFault(`${lacks} not installed: run "npm ci --omit=dev" in the folder of Refill.`);
  }
}
