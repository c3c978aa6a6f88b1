// Speaks for a page whose own code cannot: its first scripts were lost on the way, or the browser is too old for them.
// Plain old JavaScript in the page itself, which needs neither a file nor a module.
import { escapeText } from '#kernel/escape.ts';

/** Mark of the script that starts the page; the page's code takes it away when it is drawn (web/main.tsx). */
export const START_ID = 'start';

/** Already in the page's language. */
export type FirstAidTexts = { lost: string; reload: string; old: string };

/**
 * Beyond what the style sheet asks by itself, all of the oldest browsers have both. @see scripts/browsers/oldest.ts
 * A page that was loaded again just now, or has no line, is not loaded again by itself.
 */
const SCRIPT = `(function(d){
var isOld=![].toSorted;try{new RegExp("(?<=a)b")}catch(e){isOld=1}
function show(id){var e=d.getElementById(id);if(e)e.className+=" boundary-shown";else addEventListener("DOMContentLoaded",function(){show(id)})}
function lost(){
if(lost.done)return;lost.done=1;
if(isOld)return;
var n=performance.getEntriesByType&&performance.getEntriesByType("navigation")[0];
if(n&&n.type!="reload"&&navigator.onLine)setTimeout(function(){location.reload()},500);
else show("lost")}
if(isOld)show("old");
addEventListener("error",function(e){
var s=d.getElementById("${START_ID}");
if(s&&(e.target==s||/\\/assets\\//.test(e.filename||"")))lost()},true);
addEventListener("click",function(e){if(e.target.id=="lost-reload")location.reload()})
})(document)`.replaceAll('\n', '');

/** For the end of the page's head, before anything is fetched. */
export const writeFirstAid = (nonce: string): string => `<script nonce="${nonce}">${SCRIPT}</script>`;

/** Both notices, out of sight until they are needed; first in the page's body. */
export function drawFirstAid({ lost, reload, old }: FirstAidTexts): string {
  return (
    `<p class="boundary-aid boundary-old" id="old">${escapeText(old)}</p>` +
    `<div class="boundary-aid boundary-bar" id="lost" role="alert"><p>${escapeText(lost)}</p>` +
    `<button class="button-button" id="lost-reload">${escapeText(reload)}</button></div>`
  );
}
