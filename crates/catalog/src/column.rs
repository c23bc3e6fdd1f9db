//! Collects one column over all rows of one or more tables, at compile time.

/// `column!(NAME: Type = empty; TABLE.field, OTHER.field)` is a constant slice with all entries of these columns, in the order
/// of the rows; with `for entry in TABLE.field; if condition => value`, with the value of each entry for which the condition
/// holds. `empty` is any value of the type.
macro_rules! column {
    ($(#[$meta:meta])* $vis:vis $name:ident: $type:ty = $empty:expr; $($table:ident . $field:ident),+) => {
        column!(
            $(#[$meta])* $vis $name: $type = $empty;
            for entry in $($table.$field),+; if { let _ = entry; true } => entry
        );
    };
    (
        $(#[$meta:meta])*
        $vis:vis $name:ident: $type:ty = $empty:expr;
        for $entry:ident in $($table:ident . $field:ident),+;
        if $condition:expr => $value:expr
    ) => {
        $(#[$meta])*
        $vis const $name: &[$type] = &{
            const LENGTH: usize = {
                let mut length = 0;
                $(
                    let mut row = 0;
                    while row < $table.len() {
                        let mut at = 0;
                        while at < $table[row].$field.len() {
                            let $entry = $table[row].$field[at];
                            length += if $condition { 1 } else { 0 };
                            at += 1;
                        }
                        row += 1;
                    }
                )+
                length
            };
            let mut all = [$empty; LENGTH];
            let mut length = 0;
            $(
                let mut row = 0;
                while row < $table.len() {
                    let mut at = 0;
                    while at < $table[row].$field.len() {
                        let $entry = $table[row].$field[at];
                        if $condition {
                            all[length] = $value;
                            length += 1;
                        }
                        at += 1;
                    }
                    row += 1;
                }
            )+
            all
        };
    };
}
