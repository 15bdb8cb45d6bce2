/** Where a confirmation leads, as templates write it. */
export const confirmLink = "{{ confirmUrl }}";
