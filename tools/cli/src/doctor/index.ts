export { examine } from './doctor.ts';
export { type Finding, findingsText } from './finding.ts';
