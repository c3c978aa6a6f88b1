// A shop as `npm start`, tests and benches run it; operators run the same by `refill serve`.
import { serve } from './serve/serve.ts';

await serve();
