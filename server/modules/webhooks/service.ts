// Outgoing webhooks: an operator's own systems hear of orders. Events are written by the database, in the transaction
// of what happened (sql/note_order_event.sql).
export { makeEndpoint, rotateSecret, testEndpoint } from './endpoints.ts';
export { createWebhookLoop } from './webhook-loop.ts';
