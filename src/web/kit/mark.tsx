/** The mark of the service: a label with a pin. */
export function Mark() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      <path
        class="tag"
        d="M4 2h18a2 2 0 0 1 2 2v6a3 3 0 0 0 0 6v6a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-6a3 3 0 0 0 0-6V4a2 2 0 0 1 2-2Z"
      />
      <path class="eye" d="M13 20.5c3.7-3.9 5.5-6.8 5.5-9.3a5.5 5.5 0 0 0-11 0c0 2.5 1.8 5.4 5.5 9.3Z" />
      <circle class="tag" cx="13" cy="11" r="2" />
    </svg>
  );
}
