// Runs the libraries before the entry, in a task of their own (server/shell/render.ts): without an import beside them
// in their own file they would only be defined there, and run when the entry first asks for them.
import 'react-dom/client';
