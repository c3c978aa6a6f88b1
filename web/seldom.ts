// Gathers the parts that a start or a refused call needs now and then in one file: the name of each further one would
// stand in the first script.
export { startBackupToken } from './platform/calls/backup-token.ts';
export { giveFocusBack } from './platform/popups/kept-focus.ts';
export { tellLoginResult } from './features/accounts/login/login-result.ts';
export { offerBanner } from './features/banner/open.ts';
export { watchBars } from './features/layout/bars/hidden-bars.ts';
export { openUnpaidOrders } from './features/orders/open.ts';
export { explainRealName, offerCheckInGame, offerRealName } from './features/realname/open.ts';
export { openReport, reportFault, reportScript } from './features/reports/report.ts';
export { openAge } from './features/spending/open.ts';
