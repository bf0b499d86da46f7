// Tasks that curators do now and then: audits and their results, filled-in files, new records (docs/workbench.md).
import { auditKey, startAudit } from "./audit.js";
import { fillSelect, onKeys, openPage, patiently, showError } from "./bench.js";
import { supplierChoice } from "./choices.js";
import { $ } from "./dom.js";
import { KINDS } from "./kinds.js";
import { startProposals } from "./proposals.js";
import { startTaking } from "./take-back.js";

async function open() {
  const me = await openPage();
  if (!me) return;
  const canDecide = me.role !== "viewer", form = $("#draw");
  fillSelect(form.elements.kind, KINDS);
  supplierChoice(form.elements.adapter_id);
  onKeys(auditKey, []);
  if (canDecide) {
    startTaking();
    startProposals();
  }
  await patiently(startAudit(canDecide));
}

open().catch(showError);
