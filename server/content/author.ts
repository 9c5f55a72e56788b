/** Logins of the provider's own staff that a CMS gives as an author's name (spec, section 1). */
const staffHandles = new Set(["dormouse-staff", "admin"]);

/** Who signs an item: its author, or the house when there is none or it was staff. */
export function authorLabel(name: string | undefined, productName: string): string {
  const author = name?.trim() ?? "";
  return author === "" || staffHandles.has(author.toLowerCase()) ? `${productName} Team` : author;
}
