import { createHash } from "node:crypto";

/*
 * What a visitor's browser does for a form that asks for it: it searches for a number that makes the SHA-256 of the
 * page's stamp and the number begin with a given number of zero bits. That takes a second, and costs a bot that
 * posts a thousand times a quarter of an hour; checking it costs us one hash.
 */
const zeroBits = 15;

/** The search stops here: the chance that no smaller number fits is one in 10^27. */
const longestProof = 7;

/** Whether `proof` is such a number for the stamp. */
export function isProof(stamp: string, proof: string): boolean {
  if (proof.length > longestProof || !/^\d+$/.test(proof)) return false;
  const digest = createHash("sha256").update(`${stamp}:${proof}`).digest();
  return digest.readUInt32BE(0) >>> (32 - zeroBits) === 0;
}

/**
 * The page's one script: it fills the field `proof` and holds the form back until that is done. Without
 * crypto.subtle, as on pages that came over plain HTTP, it does nothing, like a browser without scripts.
 */
export const proofScript = `(function(){
var form=document.querySelector("form[data-proof]"),held=null,done=false;
if(!form||!window.crypto||!crypto.subtle||!window.TextEncoder)return;
var stamp=form.elements.stamp.value,encoder=new TextEncoder();
function finish(proof){done=true;form.elements.proof.value=proof;if(held)send()}
function send(){form.removeAttribute("aria-busy");if(held&&held.name){var field=document.createElement("input");
field.type="hidden";field.name=held.name;field.value=held.value;form.appendChild(field)}form.submit()}
async function look(){for(var n=0;n<${10 ** longestProof};n++){
var bits=new DataView(await crypto.subtle.digest("SHA-256",encoder.encode(stamp+":"+n)));
if(bits.getUint32(0)>>>${32 - zeroBits}===0)return finish(String(n));
if(n%512===511)await new Promise(function(rest){setTimeout(rest,0)})}}
form.addEventListener("submit",function(event){if(done)return;event.preventDefault();
held=event.submitter||{};form.setAttribute("aria-busy","true")});
look().catch(function(){finish("")})})();`;
