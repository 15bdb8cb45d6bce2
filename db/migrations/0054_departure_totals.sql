CREATE TABLE "departure_totals" (
	"project_id" uuid NOT NULL,
	"by" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"value" text NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "departure_totals_key" PRIMARY KEY("project_id","by","since","value")
);
