import { type Migration, tableWithId } from "../migration.ts";

/** The contacts of companies, who log in at `/company`, and what is counted for them once a month. */
export const companyPage: Migration = {
  name: "0021-company-page",
  async up(db, engine) {
    await tableWithId(db, engine, "company_contacts")
      .addColumn("company_id", "integer", (column) => column.notNull().references("companies.id"))
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("email_key", "text", (column) => column.notNull())
      .addColumn("invited_at", "text", (column) => column.notNull())
      .addUniqueConstraint("company_contacts_key", ["company_id", "email_key"])
      .execute();
    await db.schema
      .createIndex("company_contacts_by_email")
      .on("company_contacts")
      .columns(["email_key", "id"])
      .execute();
    await db.schema
      .createTable("contact_sessions")
      .addColumn("token_hash", "text", (column) => column.primaryKey())
      .addColumn("contact_id", "integer", (column) =>
        column.notNull().references("company_contacts.id").onDelete("cascade"),
      )
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("seen_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("contact_sessions_by_contact").on("contact_sessions").column("contact_id").execute();
    await db.schema.createIndex("contact_sessions_by_expiry").on("contact_sessions").column("expires_at").execute();
    await db.schema
      .createTable("company_months")
      .addColumn("company_id", "integer", (column) => column.notNull().references("companies.id"))
      .addColumn("month", "text", (column) => column.notNull())
      .addColumn("joined", "integer", (column) => column.notNull())
      .addColumn("seats_taken", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("company_months_key", ["company_id", "month"])
      .execute();
  },
};
