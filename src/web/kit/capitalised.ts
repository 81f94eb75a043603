export { capitalised } from '../../platform/validation/text.js';
